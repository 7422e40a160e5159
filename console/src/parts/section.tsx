import { useId, type ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  /** A sentence on what it is for. */
  readonly why?: string | undefined;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A part of a page with a title of its own. */
export function Section({ title, why, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section className="stack-small" aria-labelledby={id}>
      <div className="line apart">
        <h2 id={id}>{title}</h2>
        <div className="line">{actions}</div>
      </div>
      {why !== undefined && <p className="muted">{why}</p>}
      {children}
    </section>
  );
}
