import { createClient } from '/dist/client/zonewright-client.js';

/** Nothing of the service is to be seen from here. */
export async function work(url, key) {
  try {
    for await (const { domain } of createClient({ url, key, sleep: () => undefined }).domains.list())
      return domain;
    return 'an empty list';
  } catch (error) {
    return error.name;
  }
}
