import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { ApiError } from '../../../src/client/zonewright-client.ts';
import { ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { useSettled } from '../parts/use-settled.ts';
import { quote } from '../service/format-curl.ts';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { toAscii, toUnicode } from '../text/name-forms.ts';
import { listDomain, useDomains } from './use-domains.ts';

/** Between the last key and the question to the service. */
const SETTLE_MS = 350;

export function NewDomainDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [ip, setIp] = useState('');
  const [, navigate] = useLocation();
  const domain = asciiOf(name);
  const check = useNameCheck(domain, ip);
  const creation = useMutation({
    mutationFn: () => service.domains.create(bodyOf(domain, ip)),
    onSuccess: ({ value }) => {
      listDomain(value);
      navigate(`/d/${encodeURIComponent(value.domain)}/records`);
    },
  });
  const wrong = check.error instanceof ApiError ? check.error : undefined;
  const { knownAs } = check;
  return (
    <Dialog title={text.newDomain.title} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!creation.isPending && knownAs === undefined) creation.mutate();
        }}
      >
        <TextField
          label={text.newDomain.name}
          required
          value={name}
          onValue={setName}
          className="mono"
          inputMode="url"
          problem={wrong !== undefined && wrong.field !== 'ip' ? `${wrong.message}.` : undefined}
          hint={<NameHint name={name} domain={domain} check={check} />}
        />
        <TextField
          label={text.newDomain.address}
          value={ip}
          onValue={setIp}
          className="mono"
          problem={wrong?.field === 'ip' ? `${wrong.message}.` : undefined}
          hint={text.newDomain.addressHint}
        />
        <ErrorBand error={creation.error} onRepeat={() => creation.mutate()} />
        <ShowRequest
          request={{ method: 'POST', path: '/domains', body: bodyOf(domain, ip) }}
          command={`zonewright domain create ${quote(domain)}${ip === '' ? '' : ` --ip ${quote(ip.trim())}`}`}
        />
        <div className="actions">
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={creation.isPending}>
            {text.newDomain.add}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function bodyOf(domain: string, ip: string): { readonly domain: string; readonly ip?: string } {
  return { domain, ...(ip.trim() !== '' && { ip: ip.trim() }) };
}

/** As the service will show it; what is no name at all goes to the service as it is, whose sentence says what is wrong. */
function asciiOf(name: string): string {
  const trimmed = name
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/.]+$/, '');
  return toAscii(trimmed) ?? trimmed;
}

interface NameCheck {
  readonly error: unknown;
  readonly isFree: boolean;
  readonly isChecking: boolean;
  /** The account has the domain already. */
  readonly knownAs: string | undefined;
}

/** Asks the service whether the domain could be created, while somebody types. */
function useNameCheck(domain: string, ip: string): NameCheck {
  const asked = useSettled(`${domain} ${ip}`, SETTLE_MS);
  const isSettled = asked === `${domain} ${ip}`;
  const knownAs = useDomains().data?.find((row) => row.domain === domain)?.domain;
  const answer = useQuery({
    queryKey: ['new-domain', domain, ip.trim()],
    queryFn: () => service.domains.create(bodyOf(domain, ip), { dryRun: true }),
    enabled: domain !== '' && isSettled && knownAs === undefined,
    staleTime: 5_000,
    gcTime: 0,
  });
  const isUp = domain !== '' && knownAs === undefined;
  return {
    error: isUp && isSettled ? answer.error : undefined,
    isFree: isUp && isSettled && answer.isSuccess,
    isChecking: isUp && (!isSettled || answer.isFetching),
    knownAs,
  };
}

interface NameHintProps {
  readonly name: string;
  readonly domain: string;
  readonly check: NameCheck;
}

function NameHint({ name, domain, check }: NameHintProps): ReactNode {
  if (domain === '') return text.newDomain.nameHint;
  const { knownAs } = check;
  if (knownAs !== undefined)
    return (
      <>
        {text.newDomain.known(toUnicode(knownAs))}{' '}
        <Link href={`/d/${encodeURIComponent(knownAs)}/records`}>{text.newDomain.open}</Link>
      </>
    );
  const otherForm = domain === name.trim().toLowerCase() ? toUnicode(domain) : domain;
  const served =
    otherForm === domain && domain === name.trim() ? '' : ` ${text.newDomain.served(otherForm)}.`;
  if (check.isFree) return `${text.newDomain.free(toUnicode(domain))}${served}`;
  return `${check.isChecking ? text.newDomain.checking : ''}${served}`;
}
