import { boolean, integer, keyword } from '@platen/ipp/typed.ts'
import { makePdf } from '@platen/test/harness/pdf.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { newIppPrinting } from '../ipp-client.ts'
import { startGatewayProcess } from './start-gateway.ts'

test('a job of a computer whose gateway is killed while its document arrives ends as interrupted, and is not taken as printed', async () => {
  proves('ipp.interrupted.killed')
  const { open, address, printer, secret, world, id, api } = await newIppPrinting()
  const gateway = await startGatewayProcess({ PLATEN_IPP: 'on' })
  await gateway.isUp()
  const killed = open(`${gateway.url}/ipp/print/${printer.number}/${secret}`)
  const other = open(address)
  const { jobs } = await killed('Create-Job')
  const about = { 'job-id': integer(Number(jobs[0]?.['job-id']?.[0])) }
  const readState = async () => {
    const [job] = (await other('Get-Job-Attributes', { attributes: about })).jobs
    return [job?.['job-state'], job?.['job-state-reasons']]
  }
  async function* document() {
    yield makePdf('Hello')
    // The gateway has a part of it.
    const extended = `SELECT 1 AS one FROM jobs.ipp_submission
      WHERE organization_id = $1 AND expires_at > created_at + interval '61 s'`
    await waitFor(async () => expect(await world.query(extended, [id])).toHaveLength(1))
    await gateway.kill()
    yield makePdf('Hello')
  }
  const sent = killed('Send-Document', {
    document: document(),
    attributes: { ...about, 'last-document': boolean(true) },
  })
  await expect(sent).rejects.toThrow()
  expect(await readState()).toEqual([[3], ['job-incoming']])
  world.advance(120_000)
  expect(await readState()).toEqual([[8], ['submission-interrupted']])
  const aborted = { attributes: { 'which-jobs': keyword('aborted') } }
  expect((await other('Get-Jobs', aborted)).jobs).toHaveLength(1)
  expect((await api.get('/v1/printjobs')).body.data).toEqual([])
})
