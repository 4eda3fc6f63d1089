import { z } from "zod";
import { asOwner, inWorkspace, router } from "@/server/trpc/procedures";
import { listModelChoices, listProviders } from "./queries";
import {
  addModelsInput,
  checkProviderInput,
  createProviderInput,
  defaultModel,
  modelChoice,
  modelIdInput,
  modelTest,
  newProviderCheck,
  providerCheck,
  providerIdInput,
  providerModel,
  providerView,
  saveModelInput,
  setDefaultModelInput,
  testModelInput,
  updateProviderInput,
} from "./schema";
import { checkNewProvider, checkSavedProvider } from "./service/check-endpoint";
import { addModels, removeModel, saveModel, setDefaultModel } from "./service/save-model";
import { createProvider, removeProvider, updateProvider } from "./service/save-provider";
import { testModel } from "./service/test-model";

export const providersRouter = router({
  list: inWorkspace.output(z.array(providerView)).query(({ ctx }) => listProviders(ctx.scope.workspaceId)),

  models: inWorkspace.output(z.array(modelChoice)).query(({ ctx }) => listModelChoices(ctx.scope.workspaceId)),

  check: asOwner
    .input(checkProviderInput)
    .output(newProviderCheck)
    .mutation(({ ctx, input }) => checkNewProvider(ctx.scope, input)),

  checkSaved: asOwner
    .input(providerIdInput)
    .output(providerCheck)
    .mutation(({ ctx, input }) => checkSavedProvider(ctx.scope, input.providerId)),

  create: asOwner
    .input(createProviderInput)
    .output(providerView)
    .mutation(({ ctx, input }) => createProvider(ctx.scope, input)),

  saveModel: asOwner
    .input(saveModelInput)
    .output(providerModel)
    .mutation(({ ctx, input }) => saveModel(ctx.scope, input)),

  addModels: asOwner
    .input(addModelsInput)
    .output(providerView)
    .mutation(({ ctx, input }) => addModels(ctx.scope, input)),

  testModel: asOwner
    .input(testModelInput)
    .output(modelTest)
    .mutation(({ ctx, input }) => testModel(ctx.scope, input.modelId)),

  removeModel: asOwner
    .input(modelIdInput)
    .output(modelIdInput)
    .mutation(({ ctx, input }) => removeModel(ctx.scope, input.modelId)),

  update: asOwner
    .input(updateProviderInput)
    .output(providerView)
    .mutation(({ ctx, input }) => updateProvider(ctx.scope, input)),

  remove: asOwner
    .input(providerIdInput)
    .output(providerIdInput)
    .mutation(({ ctx, input }) => removeProvider(ctx.scope, input.providerId)),

  setDefaultModel: asOwner
    .input(setDefaultModelInput)
    .output(defaultModel)
    .mutation(({ ctx, input }) => setDefaultModel(ctx.scope, input.model)),
});
