import { z } from "zod";
import { asEditor, asOperator, inWorkspace, router } from "@/server/trpc/procedures";
import { changeEntryInput, createEntryInput, entryView } from "./entry-schema";
import { getBase } from "./queries/get-base";
import { getCitation } from "./queries/get-citation";
import { getEntry } from "./queries/get-entry";
import { listBases } from "./queries/list-bases";
import { listChunks } from "./queries/list-chunks";
import { getDocument, listDocuments } from "./queries/list-documents";
import {
  baseCreated,
  baseDetail,
  baseIdInput,
  baseRemoved,
  baseSummary,
  changeEmbeddingInput,
  chunkPage,
  citationInput,
  citationView,
  createBaseInput,
  documentIdInput,
  documentPage,
  documentsRemoved,
  documentView,
  listChunksInput,
  listDocumentsInput,
  removeDocumentsInput,
  searchBasesInput,
  searchResult,
  updateBaseInput,
} from "./schema";
import { changeEmbedding, createBase, updateBase } from "./service/change-base";
import { removeBase, removeDocuments } from "./service/remove";
import { retryDocument } from "./service/retry-document";
import { changeEntry, createEntry } from "./service/save-entry";
import { trySearch } from "./service/search-bases";

export const knowledgeRouter = router({
  bases: inWorkspace.output(z.array(baseSummary)).query(({ ctx }) => listBases(ctx.scope.workspaceId)),

  base: inWorkspace
    .input(baseIdInput)
    .output(baseDetail)
    .query(({ ctx, input }) => getBase(ctx.scope.workspaceId, input.baseId)),

  create: asEditor
    .input(createBaseInput)
    .output(baseCreated)
    .mutation(({ ctx, input }) => createBase({ scope: ctx.scope, input })),

  update: asEditor
    .input(updateBaseInput)
    .output(baseDetail)
    .mutation(({ ctx, input }) => updateBase({ scope: ctx.scope, input })),

  changeEmbedding: asEditor
    .input(changeEmbeddingInput)
    .output(baseDetail)
    .mutation(({ ctx, input }) => changeEmbedding({ scope: ctx.scope, input })),

  documents: inWorkspace
    .input(listDocumentsInput)
    .output(documentPage)
    .query(({ ctx, input }) => listDocuments(ctx.scope.workspaceId, input)),

  document: inWorkspace
    .input(documentIdInput)
    .output(documentView)
    .query(({ ctx, input }) => getDocument(ctx.scope.workspaceId, input.documentId)),

  chunks: inWorkspace
    .input(listChunksInput)
    .output(chunkPage)
    .query(({ ctx, input }) => listChunks(ctx.scope.workspaceId, input)),

  entry: asEditor
    .input(documentIdInput)
    .output(entryView)
    .query(({ ctx, input }) => getEntry(ctx.scope.workspaceId, input.documentId)),

  createEntry: asEditor
    .input(createEntryInput)
    .output(documentView)
    .mutation(({ ctx, input }) => createEntry({ scope: ctx.scope, input })),

  changeEntry: asEditor
    .input(changeEntryInput)
    .output(documentView)
    .mutation(({ ctx, input }) => changeEntry({ scope: ctx.scope, input })),

  // Operators may change what is attached to conversations; the service tells the bases apart.
  removeDocuments: asOperator
    .input(removeDocumentsInput)
    .output(documentsRemoved)
    .mutation(({ ctx, input }) => removeDocuments({ scope: ctx.scope, ...input })),

  retry: asOperator
    .input(documentIdInput)
    .output(documentView)
    .mutation(({ ctx, input }) => retryDocument({ scope: ctx.scope, documentId: input.documentId })),

  remove: asEditor
    .input(baseIdInput)
    .output(baseRemoved)
    .mutation(({ ctx, input }) => removeBase({ scope: ctx.scope, baseId: input.baseId })),

  search: inWorkspace
    .input(searchBasesInput)
    .output(searchResult)
    .query(({ ctx, input, signal }) => trySearch(ctx.scope.workspaceId, input, signal)),

  citation: inWorkspace
    .input(citationInput)
    .output(citationView)
    .query(({ ctx, input }) => getCitation(ctx.scope.workspaceId, input)),
});
