import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import type { MemberJson } from '../../contract/member-shape.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';

/** @param named the id or the e-mail address. @throws CommandFailure if the account has no such user */
export async function findUser(
  client: ZonewrightClient,
  named: string,
  account: string | undefined,
): Promise<MemberJson> {
  const users = await client.users.list({ account });
  const email = named.toLowerCase();
  const user = users.find((one) => one.id === named || one.email === email);
  if (user !== undefined) return user;
  throw new CommandFailure(exitCodes.notFound, `the account has no user ${JSON.stringify(named)}`);
}

/** Asks the service only if an e-mail address is given. */
export async function findUserId(
  client: ZonewrightClient,
  named: string,
  account: string | undefined,
): Promise<string> {
  return named.includes('@') ? (await findUser(client, named, account)).id : named;
}
