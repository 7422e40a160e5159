import { saveText } from '../parts/save-text.ts';
import { service } from '../service/service-client.ts';

/** Has the browser save the domain as a zone file. */
export async function saveZoneFile(domain: string): Promise<void> {
  const { text } = await service.zoneFiles.get(domain);
  saveText(text, 'text/dns', `${domain}.zone`);
}
