import { Link, useLocation } from 'wouter';
import { Band } from '../parts/band.tsx';
import { text } from '../text/en.ts';

/** Says that nothing of a domain can be edited here, because another signer has signed it, and what can be done instead. */
export function PresignedBand({ domain }: { readonly domain: string }) {
  const [at] = useLocation();
  const base = `/d/${encodeURIComponent(domain)}`;
  return (
    <Band title={text.dnssec.presigned}>
      <p>{text.dnssec.presignedWhy}</p>
      <div className="line">
        {at !== `${base}/import` && (
          <Link className="button" href={`${base}/import`}>
            {text.domain.import}
          </Link>
        )}
        <Link className="button" href={`${base}/dnssec`}>
          {text.dnssec.takeOver}
        </Link>
      </div>
    </Band>
  );
}
