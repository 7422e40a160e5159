/** The characters that UTS #46 treats as dots. */
const FULL_STOPS = '.\u3002\uff0e\uff61';

/** Splits a name at its dots, except at dots with a backslash before them, which are part of a label. */
export function splitLabels(name: string): string[] {
  const labels: string[] = [];
  let start = 0;
  for (let at = 0; at < name.length; at++) {
    if (name.charAt(at) === '\\') at++;
    else if (FULL_STOPS.includes(name.charAt(at))) {
      labels.push(name.slice(start, at));
      start = at + 1;
    }
  }
  labels.push(name.slice(start));
  return labels;
}
