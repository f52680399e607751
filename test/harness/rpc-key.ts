/** The key of tests, with which they call the methods of all services. */
import { toRpcCallers } from '@platen/deploy/launcher/services.ts'
import { CALLING_SERVICES, rpcCallers } from '@platen/runtime/rpc/callers.ts'

export const RPC_KEY = 'the-key-of-tests-for-all-services'

/** `PLATEN_RPC_CALLERS` with this key in the name of each service. */
export const RPC_CALLERS_SETTING = toRpcCallers(Object.fromEntries(CALLING_SERVICES.map((name) => [name, RPC_KEY])))

export const RPC_CALLERS = rpcCallers.parse(RPC_CALLERS_SETTING)
