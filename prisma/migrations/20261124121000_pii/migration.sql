-- Whether personal data is taken out of whatever comes in, before it is stored or sent to a model.
ALTER TABLE "workspaces" ADD COLUMN "redacts_pii" BOOLEAN NOT NULL DEFAULT false;
