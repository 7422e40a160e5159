import { service } from '../service/service-client.ts';

/** Has the browser save the domain as a zone file. */
export async function saveZoneFile(domain: string): Promise<void> {
  const { text } = await service.zoneFiles.get(domain);
  saveText(`${domain}.zone`, text);
}

/** Has the browser save a zone file. */
export function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/dns' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
