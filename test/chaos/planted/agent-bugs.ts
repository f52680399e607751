/** Bugs of the agent, for `bugs.ts`. */
import type { PlantedBug } from './planted-bug.ts'

export const AGENT_BUGS: PlantedBug[] = [
  {
    name: 'printed-at-print',
    wrong: 'The agent hands a job over as soon as it has the document, without waiting for Granted.',
    edits: [
      {
        file: 'agent/jobs/jobs.ts',
        find: `if (journal.get(id)?.phase === 'staged') await askPermission(agent, id)`,
        replace: `if (journal.get(id)?.phase === 'staged') {
        flows.start(id, () => askPermission(agent, id))
        journal.move(id, 'staged', 'granted')
      }`,
      },
    ],
    noticedBy: ['S5', 'S7'],
  },
  {
    name: 'released-again-at-restart',
    wrong: 'An agent that starts again releases what it has released and not seen finished.',
    edits: [
      {
        file: 'agent/jobs/jobs.ts',
        find: `if (phase === 'released') flows.start(id, () => watch(id))`,
        replace: `if (phase === 'released')
          flows.start(id, async () => {
            await agent.spooler.release(journal.get(id)?.spoolerJobId ?? '')
            await watch(id)
          })`,
      },
    ],
    noticedBy: ['S4'],
  },
  {
    name: 'release-journaled-late',
    wrong: 'The agent journals a release when the printer has begun, rather than before it makes it.',
    edits: [
      {
        file: 'agent/jobs/hand-over.ts',
        find: `agent.journal.move(job.id, 'held', 'releasing')
    await agent.journal.durable()
    await release(agent, job)`,
        replace: `await agent.spooler.release(job.spoolerJobId ?? '')
    await sleep(400)
    agent.journal.move(job.id, 'held', 'releasing')
    agent.journal.move(job.id, 'releasing', 'released')`,
      },
    ],
    noticedBy: ['S4'],
  },
  {
    name: 'report-said-once',
    wrong: 'The agent forgets a report when it has said it, whether or not anybody heard it.',
    edits: [
      {
        file: 'agent/jobs/reports.ts',
        find: 'await uplink.ask(reportKey(report.id), () => messageOf(report, journal.get(report.jobId)))',
        replace: `const asked = uplink.ask(reportKey(report.id), () => messageOf(report, journal.get(report.jobId)))
    journal.confirmReport(report.id)
    uplink.answer(reportKey(report.id))
    await asked`,
      },
    ],
    noticedBy: ['L1', 'S6'],
  },
  {
    name: 'broken-download-printed',
    wrong: 'A download that breaks off counts as finished, and neither size nor hash are compared.',
    edits: [
      {
        file: 'agent/jobs/fetch-document.ts',
        find: `for await (const { chunk } of responses) yield chunk
  } finally {`,
        replace: `for await (const { chunk } of responses) yield chunk
  } catch (error) {
    if (isNotFound(error)) throw error
  } finally {`,
      },
      {
        file: 'agent/documents.ts',
        find: 'if (sizeBytes !== fileSizeBytes)',
        replace: 'if (sizeBytes > fileSizeBytes)',
      },
      {
        file: 'agent/documents.ts',
        find: `if (hash.digest('hex') !== fileSha256)`,
        replace: `if (hash.digest('hex') === '')`,
      },
    ],
    noticedBy: ['S4'],
  },
  {
    name: 'failed-download-remembered',
    wrong: 'A job whose download failed is dropped and still counts as arriving, so that its resends are ignored.',
    edits: [
      {
        file: 'agent/jobs/jobs.ts',
        find: '      incoming.delete(id)',
        replace: '      if (staged) incoming.delete(id)',
      },
      {
        file: 'agent/jobs/fetch-document.ts',
        find: `log.warn({ err: error, failures: failures + 1 }, 'document not fetched, trying again')`,
        replace: `log.warn({ err: error, failures: failures + 1 }, 'document not fetched')
      return false`,
      },
    ],
    noticedBy: ['L1', 'L2', 'S9'],
  },
  {
    name: 'download-unheard',
    wrong: 'The agent listens to a download only once it is ready to write, so a failure before that ends its process.',
    edits: [
      {
        file: 'agent/jobs/fetch-document.ts',
        find: 'for await (const { chunk } of responses) yield chunk',
        replace: `await sleep(20)
    for await (const { chunk } of responses) yield chunk`,
      },
    ],
    noticedBy: ['L7'],
  },
]
