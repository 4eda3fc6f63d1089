/** On every answer. The policy for scripts and styles differs by request, so it is in proxy.ts. */
const SECURITY_HEADERS = [
  { key: "x-content-type-options", value: "nosniff" },
  { key: "x-frame-options", value: "DENY" },
  { key: "referrer-policy", value: "same-origin" },
  { key: "cross-origin-opener-policy", value: "same-origin" },
  { key: "cross-origin-resource-policy", value: "same-origin" },
  {
    key: "permissions-policy",
    value: "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
  },
];

/** On what is data: nobody keeps a copy, and opened as a page it runs nothing. */
const DATA_HEADERS = [
  { key: "cache-control", value: "private, no-store" },
  { key: "content-security-policy", value: "default-src 'none'; frame-ancestors 'none'" },
];

/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  // `npm run check` does it; who only starts Troupe need not wait for it.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["pg", "pino", "@dbos-inc/dbos-sdk"],
  experimental: { optimizePackageImports: ["@mantine/core", "@mantine/hooks", "@tabler/icons-react"] },
  headers: async () => [
    { source: "/:path*", headers: SECURITY_HEADERS },
    { source: "/api/:path*", headers: DATA_HEADERS },
  ],
};
