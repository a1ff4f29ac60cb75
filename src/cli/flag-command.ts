import { type Command, Option } from 'commander'

declare const types: unique symbol

/** A flag of Commander with the type of its value, by its name. */
export type Flag<Flags extends object> = Option & { readonly [types]?: Flags }

/** A command of Commander that knows its flags: their names and types follow from their declarations. */
export type FlagCommand<Flags extends object> = FlagMethods<Flags> & Command

interface FlagMethods<Flags extends object> {
  readonly [types]?: Flags
  option<const Text extends string>(text: Text, about: string): FlagCommand<Flags & May<Text, Plain<Text>>>
  option<const Text extends string>(
    text: Text,
    about: string,
    usual: string,
  ): FlagCommand<Flags & Does<Text, string>>
  option<const Text extends string, Value>(
    text: Text,
    about: string,
    parse: Parser<Value>,
    usual: NoInfer<Value>,
  ): FlagCommand<Flags & Does<Text, Value>>
  option<const Text extends string, Value>(
    text: Text,
    about: string,
    parse: Parser<Value>,
    usual?: NoInfer<Value> | undefined,
  ): FlagCommand<Flags & May<Text, Value>>
  requiredOption<const Text extends string>(
    text: Text,
    about: string,
  ): FlagCommand<Flags & Does<Text, string>>
  addOption<More extends object>(flag: Flag<More>): FlagCommand<Flags & More>
}

/** Parses the value of a flag; `before` is what it had from the same flag earlier. */
type Parser<Value> = (text: string, before: never) => Value

/** A flag that may be absent, and one that has a value in any case. */
type May<Text extends string, Value> = { readonly [Name in NameIn<Text>]?: Value }
type Does<Text extends string, Value> = { readonly [Name in NameIn<Text>]: Value }

/** The value of a flag that nothing parses. */
type Plain<Text extends string> = Text extends `${string} ${string}` ? string : true

/** The name of the value of `--shrink-runs <number>`: `shrinkRuns`. */
type NameIn<Text extends string> = Text extends `--${infer Name} ${string}`
  ? Camel<Name>
  : Text extends `--${infer Name}`
    ? Camel<Name>
    : never
type Camel<Name extends string> = Name extends `${infer Word}-${infer Rest}`
  ? `${Word}${Capitalize<Camel<Rest>>}`
  : Name

/** The flags of the command that a function adds or extends. */
export type FlagsOf<Add extends (...args: never) => { readonly [types]?: object }> = Simple<
  NonNullable<ReturnType<Add>[typeof types]>
>
type Simple<Flags> = { [Name in keyof Flags]: Flags[Name] }

/** Returns a command to which flags are added. */
export function flagCommand(command: Command): FlagCommand<object> {
  return command as FlagCommand<object>
}

/** Creates a flag whose value is parsed. */
export function parsedFlag<const Text extends string, Value>(
  text: Text,
  about: string,
  parse: Parser<Value>,
): Flag<May<Text, Value>> {
  return new Option(text, about).argParser(parse as (text: string) => Value)
}

/** Creates a flag with one of several values. */
export function choiceFlag<const Text extends string, Value extends string>(
  text: Text,
  about: string,
  values: readonly Value[],
): Flag<May<Text, Value>> {
  return new Option(text, about).choices(values)
}

/** Makes a flag have a value in any case: the usual one, or else that of the command line, which must have it. */
export function always<Flags extends object, Value>(flag: Flag<Flags>, usual?: Value): Flag<Required<Flags>> {
  return (usual === undefined ? flag.makeOptionMandatory() : flag.default(usual)) as Flag<Required<Flags>>
}
