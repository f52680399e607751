/** Repetitions of unanswered requests, by a clock of the test. */
import { create } from '@bufbuild/protobuf'
import { type ConnectRequest, ConnectRequestSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { AgentClient } from '../../uplink/client.ts'
import { createUplink } from '../../uplink/uplink.ts'

test('an unanswered request is repeated, but not while earlier messages wait to be sent', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const stopping = new AbortController()
  const uplink = createUplink(5_000, stopping.signal)
  const sent: ConnectRequest[] = []
  let isBusy = false
  uplink.open({ client: {} as AgentClient, send: (message) => void sent.push(message), isBusy: () => isBusy })
  const request = create(ConnectRequestSchema, { message: { case: 'received', value: {} } })
  void uplink.request('job', () => request)
  const sentAfter = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    return sent.length
  }
  expect(await sentAfter(5_000)).toBe(2)
  isBusy = true
  expect(await sentAfter(10_000)).toBe(2)
  isBusy = false
  expect(await sentAfter(5_000)).toBe(3)
  uplink.answer('job')
  expect(await sentAfter(10_000)).toBe(3)
})
