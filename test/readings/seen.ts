import type { Identity, Message, Thread, Webhook } from 'agent-mailbox-sim'
import { expect } from 'vitest'
import { expectError } from '../conformance/assertions.js'
import {
  jsonOf,
  type MessageList,
  type ThreadList,
  textOf,
  type WebhookList,
} from '../conformance/mailbox.js'
import type { Answer } from '../conformance/transport.js'
import type { Scene, See } from './gap-case.js'

function given<Body>(answer: Answer): Body {
  expect(answer.status, textOf(answer)).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json')
  return jsonOf(answer)
}

/** Returns the page of threads of an answer. */
export const threadListIn = (answer: Answer): ThreadList => given(answer)
/** Returns the page of messages of an answer. */
export const messageListIn = (answer: Answer): MessageList => given(answer)
/** Returns the threads of an answer. */
export const threadsIn = (answer: Answer): Thread[] => threadListIn(answer).threads
/** Returns the messages of an answer. */
export const messagesIn = (answer: Answer): Message[] => messageListIn(answer).messages
/** Returns the webhooks of an answer. */
export const webhooksIn = (answer: Answer): Webhook[] => given<WebhookList>(answer).webhooks
/** The identity an answer must be. */
export const identityIn = (answer: Answer): Identity => given(answer)

/** The subjects of threads, in their order. */
export const subjectsOf = (threads: readonly Thread[]): string[] => threads.map(({ subject }) => subject)

/** Asserts that an answer is an error of that status, in the default shape. */
export function refusedWith(status: number, code?: string): See {
  return (answer) => expectError(answer, status, code)
}

/** The answer to the request before. */
export function answerBefore({ before }: Scene): Answer {
  if (before) return before
  throw new Error('This case asks nothing before.')
}

/** Asserts that an answer equals the one before. */
export function sameAsBefore(answer: Answer, scene: Scene): void {
  expect(answer.status).toBe(200)
  expect(textOf(answer)).toBe(textOf(answerBefore(scene)))
}

/** Asserts that an update of eva changed these fields of the answer before and that later answers show them. */
export function updatedTo(fields: Partial<Identity>): See {
  return async (answer, scene) => {
    const { updated_at, ...others } = identityIn(answerBefore(scene))
    const updated = identityIn(answer)
    expect(updated).toEqual({ ...others, ...fields, updated_at: expect.any(String) })
    expect(Date.parse(updated.updated_at)).toBeGreaterThan(Date.parse(updated_at))
    expect(await scene.mailbox.identity('eva')).toEqual(updated)
  }
}

/** Asserts that an update of eva was refused with this status and changed nothing. */
export function notUpdated(status: number): See {
  return async (answer, scene) => {
    expectError(answer, status)
    expect(await scene.mailbox.identity('eva')).toEqual(identityIn(answerBefore(scene)))
  }
}
