import type { ComponentProps } from 'react';

type Kind = 'plain' | 'primary' | 'danger' | 'quiet';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  readonly kind?: Kind;
  /** Why it does nothing; absent: it works. It stays in the order of focus, so that everybody finds the reason. */
  readonly unable?: string | undefined;
  /** An answer is awaited. */
  readonly isBusy?: boolean;
}

export function Button({
  kind = 'plain',
  unable,
  isBusy = false,
  onClick,
  className = '',
  ...rest
}: ButtonProps) {
  const isUnable = unable !== undefined || isBusy;
  return (
    <button
      type="button"
      {...rest}
      className={`button ${kind} ${className}`}
      aria-disabled={isUnable || undefined}
      aria-busy={isBusy || undefined}
      title={unable ?? rest.title}
      onClick={(event) => {
        if (isUnable) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}
