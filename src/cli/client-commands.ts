import type { CommandTable } from './add-commands.ts';

/**
 * The commands that talk to a running server over HTTP. They know only what the interface says and never open the store.
 */
export const clientCommands: CommandTable = {
  domain: {
    description: 'list, create, show, delete and restore domains; wait for nameservers',
    load: async () => (await import('./domain/domain-commands.ts')).declareDomainCommands,
  },
  record: {
    description: 'list, find, create, change and delete records',
    load: async () => (await import('./record/record-commands.ts')).declareRecordCommands,
  },
  zonefile: {
    description: 'export, import and compare zone files',
    load: async () => (await import('./zone-file/zone-file-commands.ts')).declareZoneFileCommands,
  },
  copy: {
    description: 'copy zones from files, nameservers and other providers; safe to repeat',
    load: async () => (await import('./copy/copy-command.ts')).declareCopyCommand,
  },
  verify: {
    description: 'compare the answers of the nameservers here and elsewhere, name by name',
    load: async () => (await import('./verify/verify-command.ts')).declareVerifyCommand,
  },
  check: {
    description: 'report likely mistakes in a domain; exits with 10 if there are errors',
    load: async () => (await import('./check/check-command.ts')).declareCheckCommand,
  },
  explain: {
    description: 'show what the nameserver answers to a question, and which records make it so',
    load: async () => (await import('./explain/explain-command.ts')).declareExplainCommand,
  },
  changes: {
    description: 'show the changes of a domain, newest first',
    load: async () => (await import('./history/changes-command.ts')).declareChangesCommand,
  },
  revert: {
    description: "return a domain's records to an earlier serial; this is itself a change",
    load: async () => (await import('./history/revert-command.ts')).declareRevertCommand,
  },
  key: {
    description: 'create, list and revoke API keys (needs an administrative key)',
    load: async () => (await import('./key/key-commands.ts')).declareKeyCommands,
  },
  user: {
    description: 'list, invite, change and remove users; join an account with a link',
    load: async () => (await import('./user/user-commands.ts')).declareUserCommands,
  },
  account: {
    description:
      'show, export and delete your account; create, suspend and list accounts (needs an administrative key)',
    load: async () => (await import('./account/account-commands.ts')).declareAccountCommands,
  },
  trail: {
    description: 'show who did what in the account, latest first: log-ins, refusals, keys, rights',
    load: async () => (await import('./trail/trail-command.ts')).declareTrailCommand,
  },
  profile: {
    description: 'name services and their keys, for --profile',
    load: async () => (await import('./profile/profile-commands.ts')).declareProfileCommands,
  },
  completion: {
    description: 'complete commands in bash, zsh and fish',
    load: async () => (await import('./completion/completion-commands.ts')).declareCompletionCommands,
  },
};
