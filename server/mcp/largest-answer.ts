/** Bytes of one answer of a tool server: what can be read without keeping the worker's other runs waiting (F36). Of texts far less is kept. */
export const LARGEST_ANSWER = 2 * 1024 * 1024;
