import type { SpoolerConfig } from '../config.ts'
import { findRefusal } from '../spoolers/network/local-networks.ts'
import { listPrintersAndQueues, openRawDevices } from '../spoolers/open-spooler.ts'
import { explainNotAsked } from '../spoolers/raster/raster-printer.ts'
import { cutPrinters } from '../uplink/printer-reports.ts'
import { withTimeout } from '../with-timeout.ts'
import { type Finding, ok, problem } from './finding.ts'

const TIMEOUT_MS = 15_000

/** @param config undefined if the computer is not enrolled; then its own spooler is checked. */
export async function examineSpooler(dataDir: string, config: SpoolerConfig | undefined): Promise<Finding[]> {
  const listing = listPrintersAndQueues(config ?? { spooler: 'system' }, dataDir)
  const late = 'The spooler does not respond. Restart it, or this computer.'
  const { printers, queues } = await withTimeout(TIMEOUT_MS, listing, late)
  if (printers.length === 0) return [problem('spooler', 'The spooler has no printers. Add one in the system settings.')]
  const reported = cutPrinters(printers).length
  if (reported < printers.length) {
    const text = `The spooler has ${printers.length} printers. The service shows only the first ${reported} by name. Remove printers.`
    return [problem('spooler', text)]
  }
  const defaultName = printers.find(({ isDefault }) => isDefault)?.osName
  const offline = printers.filter(({ state }) => state === 'offline').map(({ osName }) => osName)
  const offlineText = offline.length > 0 ? ` Offline: ${offline.join(', ')}.` : ''
  const defaultText = defaultName === undefined ? 'none is the default' : `the default is ${defaultName}`
  const text = `The spooler responds and has ${printers.length} printers; ${defaultText}.${offlineText}`
  return [
    ok('spooler', text),
    ...(await examineWords(config, dataDir)),
    ...(config ? [...queues].map(([name, uri]) => offerAddress(name, uri, config)) : []),
    examineRaw(
      config?.raw,
      printers.map(({ osName = '' }) => osName),
    ),
  ]
}

/**
 * What each raw printer without a queue says of its paper. Reference: docs/network-printers.md#the-word-of-the-printer.
 */
async function examineWords(config: SpoolerConfig | undefined, dataDir: string): Promise<Finding[]> {
  if (!config) return []
  return await Promise.all(
    [...openRawDevices(config, dataDir)].map(async ([name, device]) => {
      try {
        const answer = await device.askWord?.()
        if (!answer) return ok('paper', explainNotAsked(name, config.rasterize))
        const { question, answeredMs, fault } = answer
        if (answeredMs === undefined)
          return ok('paper', `${name} does not answer ${question}: it cannot tell, or prints for another computer.`)
        if (fault) return problem('paper', `${name}: ${fault.message}`)
        return ok('paper', `${name} answers ${question} in ${answeredMs} ms and is ready.`)
      } catch (error) {
        return problem('paper', `${name}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }),
  )
}

/** CUPS passes on nothing that a printer at a port says. Reference: docs/network-printers.md#raw-queues-of-cups. */
function offerAddress(name: string, uri: string, { allowedNetworks }: SpoolerConfig): Finding {
  const refusal = findRefusal(allowedNetworks)
  const ways = [...(refusal ? [] : ['on the page of the printer in the dashboard']), `in "printers" of agent.json`]
  const text = `${name} is a queue that sends to ${uri} and passes on nothing that the printer says. Let Platen print to this address itself: add it ${ways.join(', or ')}. The queue stays as another printer, so send each job to only one of them.`
  return ok('paper', refusal ? `${text} ${refusal}` : text)
}

/** @param osNames the printers of this computer. */
function examineRaw(raw: SpoolerConfig['raw'] = true, osNames: string[]): Finding {
  if (!Array.isArray(raw)) return ok('raw', `Raw documents are printed on ${raw ? 'all' : 'none of the'} printers.`)
  const unknown = raw.filter((name) => !osNames.includes(name))
  if (unknown.length > 0)
    return problem('raw', `"raw" in agent.json names printers that this computer does not have: ${unknown.join(', ')}.`)
  return ok('raw', `Raw documents are printed only on ${raw.join(', ') || 'none of the printers'}.`)
}
