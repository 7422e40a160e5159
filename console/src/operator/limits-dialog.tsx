import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccountJson } from '../../../src/contract/account-shape.ts';
import type { LimitsJson } from '../../../src/contract/response-shapes.ts';
import { TextField } from '../parts/field.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { showToast } from '../parts/toasts.tsx';
import { ActionDialog } from '../proof/action-dialog.tsx';
import { WriteProblem } from '../proof/write-problem.tsx';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';
import {
  draftOfLimits,
  isOctets,
  limitNames,
  limitNumbers,
  limitsOfDraft,
  readLimit,
  writeLimit,
  type LimitDraft,
  type LimitName,
} from './limit-draft.ts';
import { reloadAccounts } from './use-accounts.ts';

interface LimitsDialogProps {
  readonly account: AccountJson;
  readonly limits: LimitsJson;
  readonly onClose: () => void;
}

/** Asks the service for its defaults first: limits that are the defaults stay so when the operator changes the defaults. */
export function LimitsDialog({ account: { id, name }, limits, onClose }: LimitsDialogProps) {
  const defaults = useQuery({
    queryKey: ['operator', 'account', id, 'default limits'],
    queryFn: async () => limitNumbers((await service.accounts.setLimits(id, {}, { dryRun: true })).limits),
  });
  const [typed, setTyped] = useState<Partial<LimitDraft>>({});
  const draft = defaults.data && { ...draftOfLimits(limitNumbers(limits), defaults.data), ...typed };
  const body = draft && limitsOfDraft(draft);
  const unable = draft === undefined ? text.accounts.notKnownYet : text.accounts.noLimit;
  return (
    <ActionDialog
      title={text.accounts.limitsOf(name)}
      action={text.accounts.saveLimits}
      unable={body === undefined ? unable : undefined}
      {...(body && { request: { method: 'PUT', path: `/accounts/${id}/limits`, body } })}
      command={body && commandOf(id, body)}
      run={() => service.accounts.setLimits(id, body ?? {})}
      onDone={async () => {
        await reloadAccounts();
        showToast(text.accounts.limitsChanged(name));
        onClose();
      }}
      onClose={onClose}
    >
      <p>{text.accounts.limitsWhy}</p>
      {defaults.isLoading && <Placeholder />}
      <WriteProblem
        write={{
          error: defaults.error,
          mutate: () => void defaults.refetch(),
          reset: onClose,
          variables: undefined,
        }}
      />
      {draft &&
        limitNames.map((limit) => (
          <TextField
            key={limit}
            label={text.accounts.limits[limit].label}
            hint={text.accounts.byDefault(show(limit, defaults.data[limit]))}
            problem={isWrong(limit, draft[limit]) ? text.accounts.noLimit : undefined}
            value={draft[limit]}
            onValue={(value) => setTyped({ ...typed, [limit]: value })}
          />
        ))}
    </ActionDialog>
  );
}

function isWrong(name: LimitName, typed: string): boolean {
  return typed.trim() !== '' && readLimit(name, typed) === undefined;
}

function show(name: LimitName, limit: number): string {
  return isOctets(name) ? writeLimit(name, limit) : formatNumber(limit);
}

function commandOf(id: string, limits: Partial<Record<LimitName, number>>): string {
  const options = Object.entries(limits).map(([name, limit]) => ` --${name.replaceAll('_', '-')} ${limit}`);
  return `zonewright account set-limits ${id}${options.join('')}`;
}
