/** A time to wait, rounded up: `90 s`, `45 min`, `24 h`. */
export function formatSeconds(exact: number): string {
  if (exact <= 90) return `${Math.ceil(exact)} s`;
  const minutes = exact / 60;
  return minutes <= 90 ? `${Math.ceil(minutes)} min` : `${Math.ceil(minutes / 60)} h`;
}
