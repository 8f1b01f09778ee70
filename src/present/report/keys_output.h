// Keys and bundles, told to people and programs: what `airlock keys` and `airlock extractors
// import` print. Pure functions: values in, the bytes for stdout out.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/approve/keys.h"
#include "engine/approve/share.h"
#include "model/signing_key.h"
#include "present/report/style.h"

namespace airlock::cli {

std::string keys_as_text(std::span<const KnownKey> keys, Colour colour);
std::string keys_as_json(std::span<const KnownKey> keys);

std::string trusted_as_text(const KnownKey& key, Colour colour);
std::string trusted_as_json(const KnownKey& key);

std::string revoked_as_text(const RevokedKey& revoked, Colour colour);
std::string revoked_as_json(const RevokedKey& revoked);

// What is about to be imported under `name`, with its code: what a person is asked about.
std::string bundle_as_text(const VerifiedBundle& verified, std::string_view name, Colour colour);

std::string imported_as_text(const ApprovedExtractor& extractor, Colour colour);
std::string imported_as_json(const ApprovedExtractor& extractor, const VerifiedBundle& verified);

}  // namespace airlock::cli
