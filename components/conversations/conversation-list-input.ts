/** The first page of the list as the layout prefetches it; the screen must ask for the very same. */
export const CONVERSATION_LIST = { search: "", limit: 50 };
