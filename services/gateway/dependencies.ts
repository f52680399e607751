/** What a gateway uses besides the other services. */
import type { FileStore } from '@platen/runtime/file-store/file-store.ts'
import { openFileStore } from '@platen/runtime/file-store/open-file-store.ts'
import { diagnoseNats } from '@platen/runtime/messaging/diagnose-nats.ts'
import { connectNatsWhenThere } from '@platen/runtime/messaging/nats.ts'
import { describeCredential } from '@platen/runtime/messaging/settings.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import type { Config } from './config.ts'

export interface Dependencies {
  nats: ReturnType<typeof connectNatsWhenThere>
  fileStore: FileStore
}

/** Does not wait for unreachable servers. `nats` is undefined if the settings have none. */
export async function openDependencies(
  service: ServiceProcess,
  config: Pick<Config, 'nats' | 'fileStoreUrl' | 'signingKeys'>,
): Promise<Dependencies> {
  const { diagnostics } = service
  diagnostics.addSecret('PLATEN_SIGNING_KEY', config.signingKeys)
  const settings = config.nats
  const nats = settings ? connectNatsWhenThere(service, settings) : Promise.resolve(undefined)
  if (settings)
    diagnostics.add('NATS', async () => {
      const connection = await nats
      return connection ? { nats: await diagnoseNats(connection, describeCredential(settings, service.name)) } : {}
    })
  return { nats, fileStore: await openFileStore(service, config.fileStoreUrl, config.nats) }
}
