// Routes of the DNSSEC keys of a domain.
import { formatZoneKeyReply, formatZoneKeysReply } from '../contract/format-zone-key.ts';
import { announcedBody, zoneKeyBody } from '../contract/zone-key-shape.ts';
import { addZoneKey } from '../operations/add-zone-key.ts';
import { announceZoneKey } from '../operations/announce-zone-key.ts';
import { listZoneKeys } from '../operations/list-zone-keys.ts';
import { removeZoneKey } from '../operations/remove-zone-key.ts';
import { answerCreated, answerDone, answerError, answerFound } from './answer.ts';
import { readBody } from './json-body.ts';
import type { RouteHandler } from './route-handler.ts';

export const zoneKeyRoutes = {
  listZoneKeys: async (context, caller, { params }) =>
    answerFound(await listZoneKeys(context, caller, params.domain), formatZoneKeysReply),

  addZoneKey: async (context, caller, { params, body }) => {
    const input = readBody(body, zoneKeyBody);
    if (!input.ok) return answerError(input.refusal);
    return answerCreated(await addZoneKey(context, caller, params.domain, input.value), formatZoneKeyReply);
  },

  announceZoneKey: async (context, caller, { params, body }) => {
    const input = readBody(body, announcedBody);
    if (!input.ok) return answerError(input.refusal);
    const { announced } = input.value;
    return answerDone(await announceZoneKey(context, caller, params.domain, params.id, announced));
  },

  removeZoneKey: async (context, caller, { params }) =>
    answerDone(await removeZoneKey(context, caller, params.domain, params.id)),
} satisfies Record<string, RouteHandler>;
