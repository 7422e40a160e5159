import { formatDomainName, lowerDomainName, type DomainName } from './name.ts';

/** As people write it: lower case, without the final dot; `.` is the root. */
export function showName(name: DomainName): string {
  const text = formatDomainName(lowerDomainName(name));
  return text === '.' ? text : text.slice(0, -1);
}
