// airlock keys show|trust|revoke: whose bundles are taken here.
#include "engine/approve/keys.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/report/keys_output.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kKeysExample =
    "airlock keys show\n"
    "  airlock keys trust ed25519:3b6a… --name anna@lab --why \"her extractors, on the cluster\"\n"
    "  airlock keys revoke anna@lab --why \"her laptop was stolen\"\n\n"
    "A key is trusted because you say so: none is taken along with the first bundle that it "
    "signed.\n"
    "Your own key is made by the first airlock extractors export, and trusted here.\n"
    "Exit codes: 0 fine, 1 the key was revoked before, 2 bad request.";

struct KeysArguments {
  Format format = Format::kText;
  std::string key;
  std::string name;
  std::string why;
};

bool wants_json(const KeysArguments& arguments) {
  return arguments.format == Format::kJson;
}

Result<int> show_keys(const KeysArguments& arguments, const Environment& environment) {
  const auto keys = TRY(list_keys(environment.user_dirs));
  return report(wants_json(arguments) ? keys_as_json(keys)
                                      : keys_as_text(keys, environment.colour));
}

Result<int> trust(const KeysArguments& arguments, const Environment& environment) {
  const auto key =
      TRY(trust_key(environment.user_dirs, arguments.key, arguments.name, arguments.why));
  return report(wants_json(arguments) ? trusted_as_json(key)
                                      : trusted_as_text(key, environment.colour));
}

Result<int> revoke(const KeysArguments& arguments, const Environment& environment) {
  const auto revoked = TRY(revoke_key(environment.user_dirs, arguments.key, arguments.why));
  return report(wants_json(arguments) ? revoked_as_json(revoked)
                                      : revoked_as_text(revoked, environment.colour));
}

}  // namespace

Result<int> keys_command(std::span<const std::string> words, const Environment& environment) {
  KeysArguments arguments;
  CommandLine line("airlock keys", "Show whose bundles are taken, trust a key, or revoke one.",
                   kKeysExample);
  CLI::App& options = line.options();
  options.require_subcommand(0, 1);
  declare_format(options, arguments.format);
  const auto add = [&](const char* name, const char* summary, const char* example) {
    CLI::App* command = options.add_subcommand(name, summary);
    declare_format(*command, arguments.format);
    command->footer("Example:\n  airlock keys " + std::string(example));
    return command;
  };
  add("show", "Your own key, those you trust, and those that were revoked", "show");
  CLI::App* trusting = add("trust", "Take bundles that this key has signed",
                           "trust ed25519:3b6a… --name anna@lab --why \"her extractors\"");
  trusting
      ->add_option("KEY", arguments.key, "The public key, as its owner's airlock keys show has it")
      ->required();
  trusting->add_option("--name", arguments.name, "What you call it")->type_name("NAME")->required();
  trusting->add_option("--why", arguments.why, "Why, for those who look later")->type_name("TEXT");
  CLI::App* revoking = add(
      "revoke", "Never take what this key has signed, for ever; what was imported with it stops",
      "revoke anna@lab --why \"her laptop was stolen\"");
  revoking
      ->add_option("KEY", arguments.key,
                   "Its name, its fingerprint (8 digits or more), or the public key")
      ->required();
  revoking->add_option("--why", arguments.why, "Why, for those who look later")->type_name("TEXT");
  if (const auto code = line.parse(words)) return *code;
  if (trusting->parsed()) return trust(arguments, environment);
  if (revoking->parsed()) return revoke(arguments, environment);
  return show_keys(arguments, environment);
}

}  // namespace airlock::cli
