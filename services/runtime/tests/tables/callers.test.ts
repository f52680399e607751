import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DescFile, DescMethod } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { CALLING_SERVICES, getCallers, rpcCallers } from '../../rpc/callers.ts'

const GENERATED = join(import.meta.dirname, '../../../../proto/gen/platen')

/** The methods of all contracts. That of agents is on a port of its own. */
async function readMethods(): Promise<DescMethod[]> {
  const paths = readdirSync(GENERATED, { recursive: true, encoding: 'utf8' })
  const contracts = paths.filter((path) => path.endsWith('_pb.ts') && !path.startsWith('agent'))
  const modules = await Promise.all(contracts.map((path) => import(join(GENERATED, path))))
  const files = modules.flatMap((module) => Object.values<DescFile>(module).filter(({ kind }) => kind === 'file'))
  return files.flatMap(({ services }) => services.flatMap(({ methods }) => methods))
}

const METHODS = await readMethods()

test('each method of a service names its callers', () => {
  expect(METHODS.length).toBeGreaterThan(80)
  const names = METHODS.filter((method) => getCallers(method).length === 0).map(({ name }) => name)
  expect(names).toEqual([])
})

test('a service has only the methods that it calls', () => {
  const list = (caller: string) =>
    METHODS.filter((method) => getCallers(method).includes(caller)).map(({ parent, name }) => `${parent.name}/${name}`)
  expect(list('usage')).toEqual(['JobsService/ReadEventLog'])
  expect(list('test-computers').map((path) => path.split('/')[1])).toEqual([
    'EnrollTestComputer',
    'LeaseTestComputers',
    'ReleaseTestComputers',
  ])
  expect(list('webhooks').toSorted()).toEqual([
    'AccountsService/FindMembers',
    'AccountsService/ListMembers',
    'AccountsService/ListSuspended',
    'DevicesService/GetComputer',
    'DevicesService/GetDestination',
    'DevicesService/GetPrinter',
    'DevicesService/ListOfflineOrganizations',
    'DevicesService/ListProblems',
    'DevicesService/ReadEventLog',
    'JobsService/GetJobDetails',
    'JobsService/ListWaitingPrinters',
    'JobsService/ReadEventLog',
  ])
  for (const name of [
    'CreateOrganization',
    'ListOrganizations',
    'AddMember',
    'CreateSignInCode',
    'InspectJob',
    'SetPlan',
  ])
    expect(METHODS.filter((method) => method.name === name).map(getCallers)).toEqual([['operator']])
})

test('PLATEN_RPC_CALLERS is a list of names and digests, in which both can be repeated', () => {
  const [a, b] = ['a'.repeat(64), 'B'.repeat(64)]
  const names = (text: string) => rpcCallers.parse(text).map(({ name, digest }) => `${name} ${digest.toString('hex')}`)
  expect(names(`gateway=${a}, gateway=${b},usage=${b}`)).toEqual([
    `gateway ${a}`,
    `gateway ${b.toLowerCase()}`,
    `usage ${b.toLowerCase()}`,
  ])
})

test.each(['', 'gateway', `operator=${'a'.repeat(64)}`, `gateway=${'a'.repeat(63)}`, `gateway=${'a'.repeat(64)},`])(
  'PLATEN_RPC_CALLERS as %j is refused with an example and the names of callers',
  (text) => {
    const message = new RegExp(`such as gateway=DIGEST,.* of ${CALLING_SERVICES.join(', ')}, .*PLATEN_RPC_KEY`)
    expect(() => rpcCallers.parse(text)).toThrow(message)
  },
)
