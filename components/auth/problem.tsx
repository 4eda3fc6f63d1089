import styles from "./auth-card.module.css";

/** Why the form was refused as a whole; problems of one field stand beside that field. */
export function Problem({ children }: { children: string | null }) {
  if (!children) return null;
  return (
    <p role="alert" className={styles.problem}>
      {children}
    </p>
  );
}
