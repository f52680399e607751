/** A page through the interface for programs that speak to PrintNode, printed by an agent on a real CUPS. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { startAgent } from '../chaos/agents.ts'
import { buildPdf } from '../cups/build-pdf.ts'
import { whyNoCups } from '../cups/find-cups.ts'
import { drawPages } from '../cups/odd-pdfs.ts'
import { QUEUES, startCups } from '../cups/start-cups.ts'
import { waitFor } from '../harness/wait-for.ts'
import { agentAddress, enrollComputer, installation, newOrganization } from './installation.ts'

const PRINT_TIMEOUT_MS = 60_000

test.skipIf(await whyNoCups())(
  'a page printed through the interface of PrintNode is the page that `/v1` prints, and has an explanation',
  async ({ onTestFinished }) => {
    proves('printnode.printed')
    const directory = await mkdtemp(join(tmpdir(), 'platen-printnode-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    const [cups, { id, api, addKey }] = await Promise.all([startCups(), newOrganization()])
    onTestFinished(cups.stop)
    const { computerId, credential } = await enrollComputer(api)
    const agent = await startAgent({
      ...{ name: 'agent', organizationId: id, computerId, directory, logFile: join(directory, 'log') },
      config: { agentUrl: `http://${agentAddress}`, credential, spooler: 'system' },
      env: { CUPS_SERVER: cups.server },
      onEnd: (how) => expect.fail(`agent: ${how}`),
    })
    onTestFinished(agent.stop)

    const { key } = (await addKey('live', 'read,print')).api
    const headers = { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }
    // biome-ignore lint/suspicious/noExplicitAny: any response body
    const send = async (path: string, body?: object): Promise<any> => {
      const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
      return await (await fetch(`${installation.credentials.baseUrl}${path}`, init)).json()
    }
    const isLaser = ({ name }: { name: string }) => name === QUEUES.laser
    const printer = await waitFor(async () => (await send('/printers')).find(isLaser) ?? expect.fail('no printer'))
    const native = (await api.get('/v1/printers')).body.data.find(isLaser)
    const job = {
      title: 'Delivery note',
      contentType: 'pdf_base64',
      content: buildPdf({ pages: 2, width: 420, height: 595 }).toString('base64'),
      options: { fit_to_page: true, pages: '1-2' },
    }
    const number = await send('/printjobs', { ...job, printer: printer.id, source: 'shop' })
    const { body: other } = await api.post('/v1/printjobs', { ...job, printerId: native.id })
    await waitFor(async () => {
      expect(await send('/printjobs')).toMatchObject([{ state: 'done' }, { id: number, state: 'done' }])
      expect(cups.laser.printed()).toHaveLength(2)
    }, PRINT_TIMEOUT_MS)

    const pages = await Promise.all(cups.laser.printed().map(({ file }) => drawPages(file)))
    expect(pages[0]).toHaveLength(2)
    expect(pages[0]).toEqual(pages[1])
    expect(await send(`/printjobs/${number}/states`)).toMatchObject([
      [{ state: 'new' }, { state: 'sent_to_client' }, { state: 'done' }],
    ])
    const [shown] = (await api.get(`/v1/printjobs?number=${number}`)).body.data
    const explain = async (jobId: string) => (await api.get(`/v1/printjobs/${jobId}/explanation`)).body
    const explanations = await Promise.all([shown.id, other.id].map(explain))
    for (const { headline, paper } of explanations) expect([headline, paper]).toEqual(['Printed', 'printed'])
    const [interfaces] = explanations.map(({ facts }) =>
      facts.filter(({ name }: { name: string }) => name === 'interface'),
    )
    expect(interfaces).toEqual([{ name: 'interface', value: 'PrintNode', ref: null }])
  },
)
