import { Code, ConnectError } from '@connectrpc/connect'
import { expect, test } from 'vitest'
import { ApiError, fromConnectError } from '../errors.ts'

test.each([Code.Unavailable, Code.DeadlineExceeded, Code.Canceled])(
  'a call between services that was broken off with %i is service_unavailable to the one who asked',
  (code) => {
    const error = new ConnectError('Stream closed with error code NGHTTP2_CANCEL', code)
    expect(fromConnectError(error)).toMatchObject({ code: 'service_unavailable', cause: error })
  },
)

test('a call that was broken off by a defect stays what it is', () => {
  const error = new ConnectError('a defect', Code.Internal)
  expect(fromConnectError(error)).toBe(error)
  expect(fromConnectError(error)).not.toBeInstanceOf(ApiError)
})
