/**
 * Characters that can control a terminal, break columns or lines, or show text in another order than it has: C0 and C1
 * control characters, line separators, and the formatting characters of Unicode's bidirectional algorithm (UAX #9).
 */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Escapes control characters, because data from customers must not control the terminal or break the columns. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, escapeOne);
}

/** The same for text of several lines. */
export function escapeLines(text: string): string {
  return text.replace(CONTROLS, (control) => (control === '\n' ? control : escapeOne(control)));
}

/** A zone file stays one that means the same: each octet is escaped (RFC 1035 section 5.1). */
export function escapeZoneFile(text: string): string {
  return text.replace(CONTROLS, (control) => {
    if (control === '\n' || control === '\t') return control;
    return Array.from(new TextEncoder().encode(control), (octet) => escapeCode(octet)).join('');
  });
}

/** JSON stays equal: its strings can hold any character as an escape. */
export function escapeJson(text: string): string {
  return text.replace(CONTROLS, (control) => {
    return control === '\n' ? control : `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

function escapeOne(control: string): string {
  const code = control.charCodeAt(0);
  return code < 256 ? escapeCode(code) : `\\u{${code.toString(16)}}`;
}

function escapeCode(code: number): string {
  return `\\${String(code).padStart(3, '0')}`;
}
