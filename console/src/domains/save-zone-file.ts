import { service } from '../service/service-client.ts';

/** Has the browser save the domain as a zone file. */
export async function saveZoneFile(domain: string): Promise<void> {
  const { text } = await service.zoneFiles.get(domain);
  const url = URL.createObjectURL(new Blob([text], { type: 'text/dns' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${domain}.zone`;
  link.click();
  URL.revokeObjectURL(url);
}
