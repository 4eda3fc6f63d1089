import { asOperator, inWorkspace, router } from "@/server/trpc/procedures";
import { listDeadLetters } from "./queries";
import {
  acknowledged,
  acknowledgeInput,
  deadLetter,
  deadLetterPage,
  listDeadLettersInput,
  replayInput,
} from "./schema";
import { acknowledge, replay } from "./service";

export const deadLettersRouter = router({
  list: inWorkspace
    .input(listDeadLettersInput)
    .output(deadLetterPage)
    .query(({ ctx, input }) => listDeadLetters(ctx.scope.workspaceId, input)),

  acknowledge: asOperator
    .input(acknowledgeInput)
    .output(acknowledged)
    .mutation(({ ctx, input }) => acknowledge(ctx.scope, input)),

  replay: asOperator
    .input(replayInput)
    .output(deadLetter)
    .mutation(({ ctx, input }) => replay(ctx.scope, input)),
});
