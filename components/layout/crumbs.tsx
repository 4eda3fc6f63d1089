"use client";

import { IconChevronRight } from "@tabler/icons-react";
import { usePathname } from "next/navigation";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { PageLink } from "@/components/ui/page-link";
import { isHere, NAV_ITEMS } from "./nav-items";

export type Crumb = { word: string; href?: string };

type Trail = { pathname: string; crumbs: readonly Crumb[] };
const CrumbsContext = createContext<{ trail: Trail | null; setTrail: (trail: Trail | null) => void } | null>(null);

export function CrumbsProvider({ children }: { children: ReactNode }) {
  const [trail, setTrail] = useState<Trail | null>(null);
  return <CrumbsContext value={{ trail, setTrail }}>{children}</CrumbsContext>;
}

function useTrail() {
  const context = useContext(CrumbsContext);
  if (!context) throw new Error("Breadcrumbs are used outside CrumbsProvider");
  return context;
}

/** What follows the section in the breadcrumb, e.g. the team and the run's title. Names may arrive late: "" shows nothing. */
export function usePageCrumbs(crumbs: readonly Crumb[]): void {
  const pathname = usePathname();
  const { setTrail } = useTrail();
  const key = JSON.stringify(crumbs);
  useEffect(() => {
    setTrail({ pathname, crumbs: JSON.parse(key) });
    return () => setTrail(null);
  }, [key, pathname, setTrail]);
}

/** The window's name as a page's own thing: "Research desk · Teams · Troupe", instead of the word every team's page has. */
function usePageTitle(words: readonly string[], pathname: string): void {
  const title = words.length > 1 ? [...words].reverse().concat("Troupe").join(" · ") : null;
  useEffect(() => {
    if (title === null) return;
    const before = document.title;
    // The page's metadata may come after its content. Once the address is another one's, so is the title.
    const claim = () => {
      if (document.title !== title && window.location.pathname === pathname) document.title = title;
    };
    claim();
    const observer = new MutationObserver(claim);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      // What the next page has set meanwhile stays.
      if (document.title === title) document.title = before;
    };
  }, [title, pathname]);
}

/** Section first, then what the page adds. On a phone only the section. */
export function Crumbs() {
  const pathname = usePathname();
  const { trail } = useTrail();
  const section = NAV_ITEMS.find((item) => isHere(item, pathname));
  const added = trail?.pathname === pathname ? trail.crumbs.filter((crumb) => crumb.word) : [];
  const isSection = pathname === section?.href;
  const crumbs: Crumb[] = section ? [{ word: section.word, href: isSection ? undefined : section.href }, ...added] : [];
  usePageTitle(
    crumbs.map(({ word }) => word),
    pathname,
  );
  return (
    <>
      <span className="crumb-here only-m">{section?.word}</span>
      <nav className="crumbs hide-m" aria-label="Breadcrumb">
        <ol>
          {crumbs.map((crumb, index) => (
            <li key={`${crumb.word} ${crumb.href ?? ""}`}>
              {index > 0 && <IconChevronRight size={12} className="t3" aria-hidden />}
              {crumb.href ? (
                <PageLink href={crumb.href}>{crumb.word}</PageLink>
              ) : (
                <span
                  className={index === crumbs.length - 1 ? "ell crumb-here" : "ell t2"}
                  aria-current={index === crumbs.length - 1 ? "page" : undefined}
                >
                  {crumb.word}
                </span>
              )}
            </li>
          ))}
        </ol>
      </nav>
    </>
  );
}
