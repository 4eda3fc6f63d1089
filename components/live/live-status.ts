/** How current the screen is. "paused" while the tab is hidden: it lets its connection go and resumes when seen. */
export type LiveStatus = "connecting" | "live" | "reconnecting" | "paused" | "signed-out";
