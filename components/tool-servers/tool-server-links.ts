export const TOOLS_HREF = "/tool-servers";
export const toolServerHref = (toolServerId: string) => `${TOOLS_HREF}/${toolServerId}`;
