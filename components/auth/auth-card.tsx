import type { ReactNode } from "react";
import styles from "./auth-card.module.css";

type Props = { title: string; lead?: string; children: ReactNode };

/** One column in the middle of the screen: product name, what this page is for, a form. */
export function AuthCard({ title, lead, children }: Props) {
  return (
    <main className={styles.page}>
      <div className={styles.column}>
        <p className={styles.product}>
          <span className={styles.mark} aria-hidden>
            T
          </span>
          Troupe
        </p>
        <h1 className={styles.title}>{title}</h1>
        {lead && <p className={styles.lead}>{lead}</p>}
        {children}
      </div>
    </main>
  );
}
