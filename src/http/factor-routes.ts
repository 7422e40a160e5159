// Routes of passkeys, one-time codes and recovery codes. `session-routes.ts` has those that sign in.
import { addPasskeyBody, confirmCodeBody, renamePasskeyBody } from '../contract/factor-shape.ts';
import { readRegistration } from '../contract/credential-shape.ts';
import {
  formatCodeSetupReply,
  formatFactorsReply,
  formatPasskeyReply,
  formatRecoveryCodesReply,
  formatRegisterOptionsReply,
} from '../contract/format-factors.ts';
import type { Result } from '../model/result.ts';
import { addPasskey, startAddingPasskey } from '../operations/add-passkey.ts';
import { changeFactors, getFactors, renamePasskey } from '../operations/own-factors.ts';
import {
  confirmOneTimeCodes,
  replaceRecoveryCodes,
  startOneTimeCodes,
} from '../operations/set-up-one-time-codes.ts';
import { answerDone, answerError, answerFound, type Answer } from './answer.ts';
import { readBody } from './json-body.ts';
import { findPasskeySite } from './passkey-site.ts';
import type { RouteHandler } from './route-handler.ts';

export const factorRoutes = {
  getFactors: async (context, caller) => answerFound(await getFactors(context, caller), formatFactorsReply),

  startAddingPasskey: async (context, caller, { headers }) => {
    const site = findPasskeySite(headers, context.settings.publicUrl);
    return answerFound(await startAddingPasskey(context, caller, site), formatRegisterOptionsReply);
  },

  addPasskey: async (context, caller, { body, headers }) => {
    const input = readBody(body, addPasskeyBody);
    if (!input.ok) return answerError(input.refusal);
    const sent = readRegistration(input.value.credential);
    if (!sent.ok) return answerError(sent.refusal);
    const site = findPasskeySite(headers, context.settings.publicUrl);
    const passkey = { name: input.value.name, sent: sent.value };
    return answerMade(await addPasskey(context, caller, passkey, site), formatPasskeyReply);
  },

  renamePasskey: async (context, caller, { body, params }) => {
    const input = readBody(body, renamePasskeyBody);
    if (!input.ok) return answerError(input.refusal);
    return answerFound(await renamePasskey(context, caller, params.id, input.value.name), formatPasskeyReply);
  },

  removePasskey: async (context, caller, { params: { id } }) =>
    answerDone(await changeFactors(context, caller, { kind: 'removePasskey', id })),

  startOneTimeCodes: async (context, caller) =>
    answerMade(await startOneTimeCodes(context, caller), formatCodeSetupReply),

  confirmOneTimeCodes: async (context, caller, { body }) => {
    const input = readBody(body, confirmCodeBody);
    if (!input.ok) return answerError(input.refusal);
    return answerFound(
      await confirmOneTimeCodes(context, caller, input.value.code),
      formatRecoveryCodesReply,
    );
  },

  removeOneTimeCodes: async (context, caller) =>
    answerDone(await changeFactors(context, caller, { kind: 'removeOneTimeCode' })),

  replaceRecoveryCodes: async (context, caller) =>
    answerMade(await replaceRecoveryCodes(context, caller), formatRecoveryCodesReply),

  removePassword: async (context, caller) =>
    answerDone(await changeFactors(context, caller, { kind: 'removePassword' })),
} satisfies Record<string, RouteHandler>;

/** Answers 201. */
function answerMade<T>(result: Result<T>, format: (value: T) => string): Answer {
  const answer = answerFound(result, format);
  return result.ok ? { ...answer, status: 201 } : answer;
}
