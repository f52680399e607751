/** Who may call a method, as its contract declares it (`proto/platen/operators/v1/callers.proto`). */
import { type DescMethod, getOption } from '@bufbuild/protobuf'
import { Callers, callers } from '@platen/proto/gen/platen/operators/v1/callers_pb.ts'

export const isForServices = (method: DescMethod): boolean => getOption(method, callers) !== Callers.OPERATORS

export const isForOperators = (method: DescMethod): boolean => getOption(method, callers) !== Callers.UNSPECIFIED
