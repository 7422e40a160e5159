import { useMemo } from 'react';
import { encodeQrMatrix, type QrMatrix } from './qr-matrix.ts';

/** Light modules around it, without which cameras do not find it. */
const MARGIN = 4;

interface QrCodeProps {
  readonly content: string;
  readonly label: string;
}

/** For a camera. Black on white in both themes: not all apps read the inverse. Nothing for contents that are too long. */
export function QrCode({ content, label }: QrCodeProps) {
  const matrix = useMemo(() => encodeQrMatrix(content), [content]);
  if (matrix === undefined) return null;
  const size = matrix.length + 2 * MARGIN;
  return (
    <svg
      className="qr"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={pathOf(matrix)} fill="#000" />
    </svg>
  );
}

function pathOf(matrix: QrMatrix): string {
  return matrix
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : [])))
    .join('');
}
