interface TextBlockProps {
  /** Names the text for screen readers. */
  readonly label: string;
  readonly className?: string;
  readonly children: string;
}

/** Lines as they are. What does not fit scrolls, with the keyboard too: the block takes the focus (WCAG 2.1.1). */
export function TextBlock({ label, className, children }: TextBlockProps) {
  return (
    <pre className={className} role="group" aria-label={label} tabIndex={0}>
      {children}
    </pre>
  );
}
