/**
 * One row for each past fault that the tests must notice. `faults/<name>.patch` brings it back by undoing the change
 * that fixed it.
 */
export interface Fault {
  name: string
  fault: string
  /** Ends of the paths of test files, without `.test.ts`. At least one of their tests must fail. */
  noticedBy: string[]
}

export const FAULTS: Fault[] = [
  {
    name: 'reset-stream',
    fault: 'a reset agent stream counts as a clean shutdown: its computer is offline at once',
    noticedBy: ['devices'],
  },
  {
    name: 'logged-connection',
    fault: 'a lost database connection logs the whole connection with its statements',
    noticedBy: ['log'],
  },
  {
    name: 'invalid-agent-message',
    fault: 'an invalid message of one agent fails the batch that records messages of others',
    noticedBy: ['hostile-agents'],
  },
  {
    name: 'full-disk',
    fault: 'a job ends as unconfirmed while the disk is full, instead of waiting unsent',
    noticedBy: ['network-printers'],
  },
  {
    name: 'undurable-record',
    fault: 'a network printer gets data before the record of the job is durable',
    noticedBy: ['network-printers'],
  },
  {
    name: 'unread-document',
    fault: 'a document that the IPP server did not read stays open',
    noticedBy: ['ipp-client'],
  },
  {
    name: 'wrong-spooler',
    fault: 'a job whose printer was removed is not looked up at all spoolers',
    noticedBy: ['combine-spoolers'],
  },
  {
    name: 'broken-call',
    fault: 'a call between services that the other side cancels is internal_error',
    noticedBy: ['errors'],
  },
  {
    name: 'busy-gateway-silent',
    fault: 'a gateway that is silent for 1 s counts as gone: its rate limits start again',
    noticedBy: ['busy-gateway'],
  },
  {
    name: 'busy-gateway-slow',
    fault: 'a gateway that answers after 0.2 s counts as gone: its rate limits start again',
    noticedBy: ['busy-gateway'],
  },
  {
    name: 'dead-launcher',
    fault: 'operator commands send the secret to the ports of a launcher that has ended',
    noticedBy: ['launch'],
  },
  {
    name: 'overtaken-hello',
    fault: 'reconciliation changes a job that was sent again in the meantime',
    noticedBy: ['dispatch'],
  },
  {
    name: 'values-in-traces',
    fault: 'traces contain the values of SQL statements',
    noticedBy: ['replicas'],
  },
  {
    name: 'no-host',
    fault: 'a request without a host gets an answer without the error envelope',
    noticedBy: ['http'],
  },
  {
    name: 'unlogged-failure',
    fault: 'the failure to write an answer is logged like a client that is gone',
    noticedBy: ['failed-answers'],
  },
  {
    name: 'aborted-stop',
    fault: 'a service with RPCs ends with an error when its RPC server has closed, and skips its other close functions',
    noticedBy: ['process'],
  },
  {
    name: 'moved-upgrade',
    fault: 'an upgrade of 0.1.0 gives events of open transactions positions that consumers have passed',
    noticedBy: ['commit-seq.server'],
  },
  {
    name: 'full-disk-forever',
    fault: 'a task of a job that fails because the disk of the computer is full ends until the agent is restarted',
    noticedBy: ['full-disk'],
  },
  {
    name: 'clock-set-forward',
    fault: 'a job expires at the agent when the clock of the running computer is set forward',
    noticedBy: ['expiry'],
  },
  {
    name: 'unwritable-log',
    fault: 'a line of the log that cannot be written ends the process',
    noticedBy: ['log'],
  },
  {
    name: 'full-server-disk',
    fault: 'the launcher gives up while the disk is full',
    noticedBy: ['launcher'],
  },
  {
    name: 'default-copies',
    fault: 'a queue of CUPS whose default is two copies prints each job twice',
    noticedBy: ['prints', 'cups-options'],
  },
  {
    name: 'rotated-label',
    fault: 'a label is printed across if the driver has a paper of its size in the other orientation',
    noticedBy: ['prints'],
  },
  {
    name: 'hidden-content',
    fault: 'content that the crop box of a page hides is printed',
    noticedBy: ['odd-pdfs'],
  },
  {
    name: 'unsynced-document',
    fault: 'a document is complete before its content is on disk',
    noticedBy: ['power-failure'],
  },
  {
    name: 'unsynced-name',
    fault: 'a document is complete before its name is on disk',
    noticedBy: ['power-failure'],
  },
  {
    name: 'unfinished-document',
    fault: 'a document has its name before it is complete, and is not renamed',
    noticedBy: ['power-failure'],
  },
  {
    name: 'unsynced-journal',
    fault: 'the journal reports its records as durable without a sync',
    noticedBy: ['power-failure'],
  },
  {
    name: 'early-received',
    fault: 'a job is reported as received before its record is durable',
    noticedBy: ['flow/kills'],
  },
  {
    name: 'early-release',
    fault: 'a job is released to the spooler before its record is durable',
    noticedBy: ['flow/kills'],
  },
  {
    name: 'early-network-job',
    fault: 'a job of a network printer is durable before its document is',
    noticedBy: ['power-failure'],
  },
  {
    name: 'unsynced-folder',
    fault: 'a folder shows a document that is not on disk',
    noticedBy: ['power-failure'],
  },
  {
    name: 'unreplaced-file',
    fault: 'the settings of the agent, or its list of network printers, are replaced before the new ones are on disk',
    noticedBy: ['power-failure'],
  },
  {
    name: 'claimed-bound',
    fault: 'documents may not use the last byte of what the agent may store',
    noticedBy: ['power-failure'],
  },
  {
    name: 'claimed-twice',
    fault: 'a document that is fetched again counts twice',
    noticedBy: ['power-failure'],
  },
  {
    name: 'largest-document',
    fault: 'a document of exactly 25 MB is refused',
    noticedBy: ['flow/jobs'],
  },
  {
    name: 'disk-reserve-bound',
    fault: 'a document that leaves exactly the reserve of the disk free waits',
    noticedBy: ['flow/jobs'],
  },
  {
    name: 'sum-of-others',
    fault: 'the stored bytes of an organization are the sum of all organizations',
    noticedBy: ['quotas'],
  },
  {
    name: 'reprint-summed',
    fault: 'the document that a reprint shares counts twice as stored bytes',
    noticedBy: ['quotas'],
  },
  {
    name: 'old-removal',
    fault: 'a job that ends at its deadline keeps the time of an older removal, which is deleted too early',
    noticedBy: ['after-received'],
  },
  {
    name: 'late-outcome',
    fault: 'the late outcome of an overtaken attempt ends its delivery',
    noticedBy: ['world/delivery'],
  },
  {
    name: 'late-success',
    fault: 'the late success of an overtaken attempt sets the time of the delivery',
    noticedBy: ['world/delivery'],
  },
  {
    name: 'second-replica',
    fault: 'a second replica that reads the same events adds their counts to the statistics again',
    noticedBy: ['record-prints'],
  },
  {
    name: 'key-of-other-mode',
    fault: 'an idempotency key of the other mode gets its job',
    noticedBy: ['idempotency-keys'],
  },
]
