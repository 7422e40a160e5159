/** A domain's latest change says when its serial was last raised. */
export const CHANGES_BY_DOMAIN = 'CREATE INDEX changes_by_domain ON changes (domain_id, seq);';
