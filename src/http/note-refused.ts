import './request-state.ts';
import type { FastifyRequest } from 'fastify';
import { lacksRight, noteRefusal } from '../operations/note-refusal.ts';
import type { AccessRule } from '../operations/authorise.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import type { Answer } from './answer.ts';

/** Leaves in the trail that the caller lacks a right, if that is why it gets this answer. */
export function noteRefused(
  context: Pick<OperationContext, 'trail' | 'sought'>,
  { caller, clientAddress, params }: FastifyRequest,
  { id: operation, needs }: Pick<AccessRule, 'needs'> & { readonly id: string },
  { status, code, reason }: Answer,
): void {
  if (code === undefined || (status !== 404 && !lacksRight(code)) || caller === null) return;
  const { domain, id } = params as { readonly domain?: string; readonly id?: string };
  const { accountId, keyId, rights, signedIn } = caller;
  const sender = { accountId, keyId, rights, signedIn, terms: { address: clientAddress } };
  noteRefusal(context, sender, { operation, needs, domain, id, code, reason });
}
