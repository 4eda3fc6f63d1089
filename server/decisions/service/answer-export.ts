import { answerJsonLines } from "@/server/files/answer-json-lines";
import { findLabelled, readLabelled } from "../queries/read-labelled";
import { decisionFilters, MOST_EXPORTED } from "../schema";

/** GET /api/decisions/labelled?kind=…: the labelled decisions of a filter. The parameters are the fields of `decisionFilters`. */
export function answerLabelledExport(request: Request): Promise<Response> {
  return answerJsonLines(request, {
    fileName: "labelled-decisions.jsonl",
    rows: "labelled decisions",
    filtersOf: (fields) => decisionFilters.safeParse(fields).data,
    find: findLabelled,
    read: readLabelled,
    most: MOST_EXPORTED,
  });
}
