#include "runtime/image/image_documents.h"

#include "oci/decode.h"

namespace langsbx::image {
namespace {

namespace decode = oci::decode;

constexpr decode::Field kAnnotationFields[] = {
    decode::field<&Descriptor::name>("org.opencontainers.image.ref.name"),
};
constexpr decode::Type kAnnotations = decode::object<kAnnotationFields>();

constexpr decode::Field kPlatformFields[] = {
    decode::field<&Descriptor::architecture>("architecture"),
};
constexpr decode::Type kPlatform = decode::object<kPlatformFields>();

constexpr decode::Field kDescriptorFields[] = {
    decode::field<&Descriptor::digest>("digest"),
    decode::field<&Descriptor::media_type>("mediaType"),
    decode::nested("annotations", &kAnnotations),
    decode::nested("platform", &kPlatform),
};
constexpr decode::Type kDescriptor = decode::object<kDescriptorFields>();
constexpr decode::Type kDescriptors = decode::array<std::vector<Descriptor>, &kDescriptor>();

constexpr decode::Field kIndexFields[] = {
    decode::field<&Index::manifests>("manifests", &kDescriptors),
};
constexpr decode::Type kIndex = decode::object<kIndexFields>();

constexpr decode::Field kManifestFields[] = {
    decode::field<&ImageManifest::config>("config", &kDescriptor),
    decode::field<&ImageManifest::layers>("layers", &kDescriptors),
};
constexpr decode::Type kManifest = decode::object<kManifestFields>();

constexpr decode::Field kRootfsFields[] = {
    decode::field<&ImageSettings::diff_ids>("diff_ids"),
};
constexpr decode::Type kRootfs = decode::object<kRootfsFields>();
constexpr decode::Field kSettingsFields[] = {decode::nested("rootfs", &kRootfs)};
constexpr decode::Type kSettings = decode::object<kSettingsFields>();

constexpr decode::Field kSavedFields[] = {
    decode::field<&SavedImage::config>("Config"),
    decode::field<&SavedImage::layers>("Layers"),
};
constexpr decode::Type kSaved = decode::object<kSavedFields>();
constexpr decode::Type kSavedImages = decode::array<std::vector<SavedImage>, &kSaved>();

template <typename Document>
Result<Document> read(std::string_view json, const decode::Type& type, const std::string& file) {
  Document document;
  TRY(decode::decode(json, type, &document, "image: " + file));
  return document;
}

}  // namespace

Result<Index> index_from_json(std::string_view json, const std::string& file) {
  return read<Index>(json, kIndex, file);
}

Result<ImageManifest> manifest_from_json(std::string_view json, const std::string& file) {
  return read<ImageManifest>(json, kManifest, file);
}

Result<ImageSettings> settings_from_json(std::string_view json, const std::string& file) {
  return read<ImageSettings>(json, kSettings, file);
}

Result<std::vector<SavedImage>> saved_images_from_json(std::string_view json,
                                                       const std::string& file) {
  return read<std::vector<SavedImage>>(json, kSavedImages, file);
}

}  // namespace langsbx::image
