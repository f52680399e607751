/** Every command of `npm run admin`. Each prints what its `run` returns. */
import type { DescService } from '@bufbuild/protobuf'
import type { Client } from '@connectrpc/connect'
import { createKey, listKeys, revokeKey } from './keys.ts'
import { createOrganization, listOrganizations } from './organizations.ts'
import { setPlan } from './plans.ts'
import { addUser, listUsers } from './users.ts'

/** @param name of the service in the run record. */
export type Connect = <Service extends DescService>(service: Service) => Client<Service>

/** Required ones are there, and are not empty. */
export type Options = Record<string, string | undefined>

interface Command {
  name: string
  usage: string
  required: string[]
  optional: string[]
  positionals: number
  run(connect: Connect, options: Options, positionals: string[]): Promise<unknown>
}

export const COMMANDS: Command[] = [
  { name: 'orgs create', usage: 'NAME', required: [], optional: [], positionals: 1, run: createOrganization },
  { name: 'orgs list', usage: '', required: [], optional: [], positionals: 0, run: listOrganizations },
  {
    name: 'keys create',
    usage: '--org ID --mode test|live --scopes read,print,admin [--name NAME]',
    required: ['org', 'mode', 'scopes'],
    optional: ['name'],
    positionals: 0,
    run: createKey,
  },
  { name: 'keys list', usage: '--org ID', required: ['org'], optional: [], positionals: 0, run: listKeys },
  { name: 'keys revoke', usage: 'ID', required: [], optional: [], positionals: 1, run: revokeKey },
  {
    name: 'plans set',
    usage: '--org ID --prints N|unlimited --computers N|unlimited',
    required: ['org', 'prints', 'computers'],
    optional: [],
    positionals: 0,
    run: setPlan,
  },
  {
    name: 'users add',
    usage: '--org ID --email ADDRESS --role owner|admin|member',
    required: ['org', 'email', 'role'],
    optional: [],
    positionals: 0,
    run: addUser,
  },
  { name: 'users list', usage: '--org ID', required: ['org'], optional: [], positionals: 0, run: listUsers },
]
