/** Formats seconds since 1970 as `2026-11-20T09:03:31+00:00`, without a fraction (contract rule 14). */
export function formatDate(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}+00:00`;
}
