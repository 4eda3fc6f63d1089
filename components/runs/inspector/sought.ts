"use client";

import { createContext, useContext } from "react";

/** What somebody looks for in the panel; empty: nothing. Whoever keeps something folded or unread brings it forth while it is looked for. */
export const Sought = createContext("");

export const useSought = () => useContext(Sought);
