import { Button } from '../parts/button.tsx';
import { copyText } from '../parts/toasts.tsx';
import { text } from '../text/en.ts';

const words = text.dnssec;

/** One DS record as registrars ask for it: whole, or field by field. @param props.data in presentation format */
export function DsRecord({ data }: { readonly data: string }) {
  const [tag = '', algorithm = '', digestType = '', ...digest] = data.split(' ');
  const algorithms: Partial<Record<string, string>> = words.algorithms;
  const digestTypes: Partial<Record<string, string>> = words.digestTypes;
  return (
    <dl className="copies">
      <CopyRow label={words.ds.tag} value={tag} />
      <CopyRow label={words.ds.algorithm} value={algorithm} meaning={algorithms[algorithm]} />
      <CopyRow label={words.ds.digestType} value={digestType} meaning={digestTypes[digestType]} />
      <CopyRow label={words.ds.digest} value={digest.join('')} />
      <CopyRow label={words.ds.whole} value={data} />
    </dl>
  );
}

interface CopyRowProps {
  readonly label: string;
  readonly value: string;
  /** A word for a number, which is not copied. */
  readonly meaning?: string | undefined;
}

function CopyRow({ label, value, meaning }: CopyRowProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span className="mono">{value}</span>
        {meaning !== undefined && <span className="muted small"> {meaning}</span>}
      </dd>
      <dd>
        <Button kind="quiet" aria-label={`${text.copy}: ${label}`} onClick={() => void copyText(value)}>
          {text.copy}
        </Button>
      </dd>
    </div>
  );
}
