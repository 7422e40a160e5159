import { Link } from 'wouter';
import { useTitle } from '../parts/use-title.ts';
import { text } from '../text/en.ts';

export function NotFoundPage() {
  useTitle(text.notFound);
  return (
    <div className="empty">
      <h1>{text.notFound}</h1>
      <p>{text.notFoundWhy}</p>
      <Link className="button primary" href="/domains">
        {text.toDomains}
      </Link>
    </div>
  );
}
