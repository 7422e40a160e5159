import './request-state.ts';
import type { FastifyRequest } from 'fastify';
import { noteRefusal } from '../operations/note-refusal.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import type { Answer } from './answer.ts';

/** Leaves in the trail that the caller lacks a right, if that is the answer. */
export function noteForbidden(
  context: Pick<OperationContext, 'trail'>,
  { caller, clientAddress, params }: FastifyRequest,
  operation: string,
  { code, reason }: Answer,
): void {
  if (code !== 'forbidden' || caller === null) return;
  const { domain, id } = params as { readonly domain?: string; readonly id?: string };
  const { accountId, keyId } = caller;
  const sender = { accountId, keyId, terms: { address: clientAddress } };
  noteRefusal(context, sender, { operation, object: domain ?? id, reason });
}
