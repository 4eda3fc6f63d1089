import { answerJsonLines } from "@/server/files/answer-json-lines";
import { findExported, readExported } from "../queries/read-export";
import { feedbackFilters, MOST_EXPORTED } from "../schema";

/** GET /api/feedback/export?type=…: the feedback of a filter, with questions and answers. The parameters are the fields of `feedbackFilters`. */
export function answerFeedbackExport(request: Request): Promise<Response> {
  return answerJsonLines(request, {
    fileName: "feedback.jsonl",
    rows: "entries of feedback",
    filtersOf: (fields) => feedbackFilters.safeParse(fields).data,
    find: findExported,
    read: readExported,
    most: MOST_EXPORTED,
  });
}
