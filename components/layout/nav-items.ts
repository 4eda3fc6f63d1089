import {
  type Icon,
  IconBook2,
  IconBrain,
  IconCoins,
  IconGauge,
  IconHome,
  IconMailOff,
  IconMessages,
  IconPlayerPlay,
  IconRobot,
  IconServer,
  IconSquareRotated,
  IconThumbUp,
  IconTimeline,
  IconTool,
  IconUserCog,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from "@tabler/icons-react";

export type NavItem = {
  href: string;
  word: string;
  icon: Icon;
  /** Where the word alone does not say it. */
  about?: string;
  /** Heading above it in the sidebar, where a group begins. */
  group?: string;
  /** One of the few with a place of its own in the bottom bar of phones; the others are under More. */
  isPrimary?: boolean;
};

/** Pages of the console, in the order of the sidebar. */
export const NAV_ITEMS: readonly NavItem[] = [
  { href: "/", word: "Home", icon: IconHome, isPrimary: true },
  { href: "/conversations", word: "Conversations", icon: IconMessages, isPrimary: true },
  { href: "/runs", word: "Runs", icon: IconPlayerPlay, isPrimary: true },
  { href: "/decisions", word: "Decisions", icon: IconSquareRotated },
  { href: "/feedback", word: "Feedback", icon: IconThumbUp },
  {
    href: "/dead-letters",
    word: "Dead letters",
    icon: IconMailOff,
    about: "Calls of models and tools that failed for good, for somebody to look at.",
  },
  { href: "/teams", word: "Teams", icon: IconUsersGroup, group: "Build", isPrimary: true },
  { href: "/agents", word: "Agents", icon: IconRobot },
  { href: "/knowledge", word: "Knowledge", icon: IconBook2 },
  { href: "/tool-servers", word: "Tools", icon: IconTool },
  { href: "/providers", word: "Models", icon: IconBrain, group: "Workspace" },
  { href: "/members", word: "Members", icon: IconUsers },
  {
    href: "/spending",
    word: "Spending",
    icon: IconCoins,
    about: "Calls of models over all runs: what they used and cost, and how soon they were answered.",
  },
  { href: "/usage", word: "Usage", icon: IconGauge },
  { href: "/tracing", word: "Tracing", icon: IconTimeline },
  {
    href: "/webhooks",
    word: "Webhooks",
    icon: IconWebhook,
    about: "Addresses of yours that are called when a run fails, waits, ends, and the like.",
  },
  { href: "/system", word: "System", icon: IconServer },
  { href: "/account", word: "Your account", icon: IconUserCog },
];

export function isHere(item: NavItem, pathname: string): boolean {
  return item.href === "/" ? pathname === "/" : pathname === item.href || pathname.startsWith(`${item.href}/`);
}
