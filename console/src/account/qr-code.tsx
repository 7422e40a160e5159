import { useMemo } from 'react';
import { encode } from 'uqr';

/** Light modules around it, without which cameras do not find it. */
const MARGIN = 4;

/** Level M reads a code of which 15 percent is dirty or covered. */
const options = { ecc: 'M', border: MARGIN } as const;

interface QrCodeProps {
  /** An address of some hundred characters; a code has room for 2,331 octets. */
  readonly content: string;
  readonly label: string;
}

/** For a camera. Black on white in both themes: not all apps read the inverse. */
export function QrCode({ content, label }: QrCodeProps) {
  const { size, data } = useMemo(() => encode(content, options), [content]);
  return (
    <svg
      className="qr"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={pathOf(data)} fill="#000" />
    </svg>
  );
}

function pathOf(rows: readonly (readonly boolean[])[]): string {
  return rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join('');
}
